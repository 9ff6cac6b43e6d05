"""What Inspect finds when Pixelreef is installed: the entry point `inspect_ai` names this module.

It makes models named `local/…` and the solver `pixelreef/ask` known to `inspect eval`. Each room's task is imported
here, which is all that `inspect eval pixelreef/…` needs. Nothing else imports this module.
"""

from pixelreef.runs import ask, models

ask.register()
models.register()
