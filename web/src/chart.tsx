// Charts by uPlot, in the colours of the page.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface Series {
  label: string;
  /** A colour of CSS; it may be a variable. */
  colour: string;
  values: (number | null)[];
  /** Whether the line is a bound, which is drawn thin. */
  thin?: boolean;
  /** Whether the line has an outline, since its colour may be that of the page. */
  outlined?: boolean;
}

export function Chart({ x, series, bands, height, range, label, onX }: {
  x: number[];
  series: Series[];
  /** Pairs of series; the area between them is filled. */
  bands?: [number, number][];
  height: number;
  range?: [number, number];
  label: string;
  onX?: (x: number) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const shape = JSON.stringify([series.map(({ label, colour, thin, outlined }) => [label, colour, thin, outlined]), bands, height, range]);
  // Outlines are series of their own, below the lines.
  const data: uPlot.AlignedData = [x, ...series.filter(({ outlined }) => outlined).map(({ values }) => values), ...series.map(({ values }) => values)];
  // A canvas does not follow the theme by itself.
  const [themes, setThemes] = useState(0);
  useEffect(() => {
    const observer = new MutationObserver(() => setThemes((old) => old + 1));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  const told = useRef(onX);
  told.current = onX;
  useEffect(() => {
    const node = place.current;
    if (!node) return;
    const paint = (colour: string) => {
      node.style.color = colour;
      const resolved = getComputedStyle(node).color;
      node.style.color = "";
      return resolved;
    };
    const [ink, line] = [paint("var(--soft)"), paint("var(--line)")];
    const outlines = series.filter(({ outlined }) => outlined).map(({ label }) => ({ label, stroke: ink, width: 5, spanGaps: true, points: { show: false } }));
    const lines = series.map(({ label, colour, thin, outlined }) => {
      const stroke = paint(colour);
      const points = { show: !thin && x.length < 30, size: 6, fill: stroke, stroke: outlined ? ink : stroke, width: 1 };
      return { label, stroke, width: thin ? 0.75 : outlined ? 3 : 2, spanGaps: true, points };
    });
    const first = 1 + outlines.length;
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "12px system-ui", size: 34 };
    const plot = new uPlot(
      {
        width: node.clientWidth || 300,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 6 } },
        scales: { x: { time: false }, ...(range ? { y: { range } } : {}) },
        axes: [{ ...axis, size: 26, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000] }, axis],
        series: [{}, ...outlines, ...lines],
        bands: (bands ?? []).map(([above, below]) => ({ series: [first + above, first + below], fill: lines[above]?.stroke.replace(/^rgb\((.*)\)$/, "rgba($1, 0.13)") ?? ink })),
      },
      data,
      node,
    );
    plot.over.addEventListener("click", () => {
      const at = plot.cursor.idx;
      if (at != null) told.current?.(plot.data[0][at] as number);
    });
    chart.current = plot;
    const resize = new ResizeObserver(() => plot.setSize({ width: node.clientWidth, height }));
    resize.observe(node);
    return () => {
      resize.disconnect();
      plot.destroy();
      chart.current = undefined;
    };
  }, [shape, themes]);
  useEffect(() => chart.current?.setData(data), [JSON.stringify(data)]);
  return <div ref={place} class="chart" role="img" aria-label={label} />;
}
