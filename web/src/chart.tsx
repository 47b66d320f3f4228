// Charts by uPlot, in the colours of the page.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface Series {
  label: string;
  colour: string;
  values: (number | null)[];
  /** The line of a bound: thin. */
  thin?: boolean;
}

export function Chart({ x, series, bands, height, range, label, onX }: {
  x: number[];
  series: Series[];
  /** Pairs of series between which it is filled. */
  bands?: [number, number][];
  height: number;
  range?: [number, number];
  label: string;
  onX?: (x: number) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const shape = JSON.stringify([series.map(({ label, colour, thin }) => [label, colour, thin]), bands, height, range]);
  const told = useRef(onX);
  told.current = onX;
  useEffect(() => {
    const node = place.current;
    if (!node) return;
    const style = getComputedStyle(node);
    const [ink, line] = [style.getPropertyValue("--soft"), style.getPropertyValue("--line")];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "12px system-ui", size: 34 };
    const plot = new uPlot(
      {
        width: node.clientWidth || 300,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 6 } },
        scales: { x: { time: false }, ...(range ? { y: { range } } : {}) },
        axes: [{ ...axis, size: 26, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000] }, axis],
        series: [{}, ...series.map(({ label, colour, thin }) => ({ label, stroke: colour, width: thin ? 0.75 : 2, points: { show: !thin && x.length < 30, size: 5 } }))],
        bands: (bands ?? []).map((pair) => ({ series: pair.map((i) => i + 1) as [number, number], fill: `${series[pair[0]]?.colour ?? "#888888"}22` })),
      },
      [x, ...series.map(({ values }) => values)],
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
  }, [shape]);
  useEffect(() => chart.current?.setData([x, ...series.map(({ values }) => values)]), [JSON.stringify([x, series.map(({ values }) => values)])]);
  return <div ref={place} class="chart" role="img" aria-label={label} />;
}
