"""`python -m pixelreef` is the same as the installed command."""

from pixelreef.cli import main

if __name__ == "__main__":
    main()
