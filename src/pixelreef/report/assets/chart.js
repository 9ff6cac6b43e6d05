/* Draws each chart from the JSON beside it, in the colours of the page, and again when light and dark change. */
(() => {
  "use strict";
  const probe = document.createElement("span");
  const sheet = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // A custom property may hold light-dark(…); as the colour of an element it is worked out.
  const colour = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };

  const template = () => {
    const [ink, muted, line, edge, surface] = ["ink", "muted", "line", "edge", "surface"].map(colour);
    const series = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => colour(`series-${number}`));
    const ramp = [0, 1, 2, 3, 4].map((step) => [step / 4, colour(`scale-${step}`)]);
    const axis = {
      gridcolor: line, linecolor: edge, zerolinecolor: edge, tickcolor: line, tickfont: { color: muted },
      title: { font: { color: muted }, standoff: 10 }, automargin: true, zerolinewidth: 1, ticks: "",
    };
    const bar = { outlinewidth: 0, thickness: 10, tickfont: { color: muted }, ticks: "", title: { font: { color: muted } } };
    return {
      layout: {
        paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", colorway: series,
        font: { family: sheet("--sans"), size: 13, color: ink },
        margin: { l: 8, r: 8, t: 16, b: 8 }, bargap: 0.35, barcornerradius: 3,
        xaxis: { ...axis, showgrid: false }, yaxis: axis,
        polar: { bgcolor: "rgba(0,0,0,0)", radialaxis: { ...axis, angle: 90, tickangle: 90 }, angularaxis: axis },
        coloraxis: { colorscale: ramp, colorbar: bar },
        legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", font: { color: ink } },
        hoverlabel: { bgcolor: surface, bordercolor: edge, font: { color: ink, family: sheet("--sans") }, align: "left" },
      },
      data: {
        heatmap: [{ type: "heatmap", colorscale: ramp, colorbar: bar, xgap: 1, ygap: 1 }],
        bar: [{ type: "bar", error_x: { color: muted, thickness: 1.5, width: 3 }, error_y: { color: muted, thickness: 1.5, width: 3 } }],
        box: [{ type: "box", line: { width: 1.5 } }],
      },
    };
  };

  const charts = [...document.querySelectorAll(".chart")].map((figure) => ({
    plot: figure.querySelector(".plot"),
    source: figure.querySelector('script[type="application/json"]').textContent,
  }));
  const config = { responsive: true, displayModeBar: false, displaylogo: false, showTips: false };
  const draw = () => {
    document.body.append(probe);
    const look = template();
    probe.remove();
    for (const { plot, source } of charts) {
      const { data, layout } = JSON.parse(source);  // anew each time: Plotly writes into what it is given
      Plotly.react(plot, data, { ...layout, autosize: true, template: look }, config);
    }
  };
  draw();
  document.addEventListener("theme", draw);
})();
