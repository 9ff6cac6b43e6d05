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
      title: { font: { color: muted, size: 13 }, standoff: 10 }, ticklabelstandoff: 4, automargin: true, zerolinewidth: 1, ticks: "",
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
        // Paler than the line colours, so that whiskers in ink stand out on them.
        bar: [{ type: "bar", marker: { opacity: 0.8 }, error_x: { color: ink, thickness: 1.5, width: 3 }, error_y: { color: ink, thickness: 1.5, width: 3 } }],
        box: [{ type: "box", line: { width: 1.5 } }],
      },
    };
  };

  // Plotly's own fill hides what lies under it.
  const sheer = (trace, number, series) => {
    if (!trace.fill || trace.fill === "none" || trace.fillcolor) return trace;
    const base = trace.line?.color || series[number % series.length];
    return { ...trace, fillcolor: base.replace(/^rgb\((.*)\)$/, "rgba($1, 0.16)") };
  };

  // The names around a radar have no automatic margin.
  const room = (data) => (data.some((trace) => /polar/.test(trace.type)) ? { margin: { l: 64, r: 64, t: 40, b: 32 } } : {});

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
      const traces = data.map((trace, number) => sheer(trace, number, look.layout.colorway));
      Plotly.react(plot, traces, { ...room(data), ...layout, autosize: true, template: look }, config);
    }
  };
  draw();
  document.addEventListener("theme", draw);
})();
