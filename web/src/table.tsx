// The moves of a report: three statistics as bars, and their weights.

import { useState } from "preact/hooks";
import type { Found, Report } from "./api";
import { count, has, percent, source, three, type Measure } from "./measure";

const SHOWN = 8;

/** The three statistics, in the order of their weights. */
const KINDS = ["mean", "amaf", "permutation"] as const;

export function Table({ report, onPoint, onEnter, picked, onPick }: {
  report: Report;
  onPoint?: (move: string | undefined) => void;
  /** Opens the node of a move. */
  onEnter?: ((move: string) => void) | undefined;
  /** The moves to compare. */
  picked?: string[];
  onPick?: (move: string) => void;
}) {
  const [all, setAll] = useState(false);
  const moves = all ? report.moves : report.moves.slice(0, SHOWN);
  const total = report.moves.reduce((sum, found) => sum + found.visits, 0) || 1;
  const most = Math.max(...report.moves.map((found) => found.visits), 1);
  const columns = KINDS.filter((measure) => has(report, measure));
  const seen = moves.flatMap((found) => columns.map((measure) => source(found, measure)).filter((known) => known && known.count > 0));
  const means = seen.map((known) => known?.mean ?? 0);
  // Means are close to each other, so bars only cover their range.
  const low = Math.max(0, Math.min(...means, 1) - 0.03);
  const high = Math.min(1, Math.max(...means, 0) + 0.03);
  return (
    <div class="scroll">
      <table class="moves" onMouseLeave={() => onPoint?.(undefined)}>
        <thead>
          <tr>
            <th>move</th>
            <th>visits</th>
            {columns.map((measure) => (
              <th key={measure} class={measure}>
                {measure === "mean" ? "own mean" : measure === "amaf" ? "AMAF" : "permutation"}
              </th>
            ))}
            {columns.length > 1 && <th>weights</th>}
          </tr>
        </thead>
        <tbody>
          {moves.map((found, i) => (
            <tr
              key={found.move}
              data-move={found.move}
              class={`${i === 0 ? "first" : ""}${picked?.includes(found.move) ? " chosen" : ""}`}
              onMouseEnter={() => onPoint?.(found.move)}
              onClick={() => onPick?.(found.move)}
            >
              <th scope="row">
                {onEnter && (
                  <button type="button" class="quiet down" disabled={found.visits < 2} title={`Open the node of ${found.move}`} aria-label={`Open the node of ${found.move}`} onClick={(event) => { event.stopPropagation(); onEnter(found.move); }}>
                    ▸
                  </button>
                )}
                {found.move}
                {found.proven != null && <abbr title={`proven: ${found.proven}`}>{found.proven === 1 ? " ✓" : found.proven === 0 ? " ✗" : " ="}</abbr>}
              </th>
              <td>
                <Bar value={found.visits / most} kind="visits" text={count(found.visits)} title={`${percent(found.visits / total)} % of all playouts`} />
              </td>
              {columns.map((measure) => (
                <td key={measure}>
                  <Statistic found={found} measure={measure} low={low} high={high} />
                </td>
              ))}
              {columns.length > 1 && (
                <td>
                  <Weights found={found} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {report.moves.length > SHOWN && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${report.moves.length} moves`}
        </button>
      )}
    </div>
  );
}

function Bar({ value, kind, text, title }: { value: number; kind: string; text: string; title?: string }) {
  return (
    <span class={`bar ${kind}`} title={title}>
      <i style={{ width: `${100 * Math.min(1, Math.max(0, value))}%` }} />
      <b>{text}</b>
    </span>
  );
}

function Statistic({ found, measure, low, high }: { found: Found; measure: Measure; low: number; high: number }) {
  const known = source(found, measure);
  if (!known || known.count === 0) return <span class="none">–</span>;
  const title = `${count(known.count)} playouts; the bar goes from ${low.toFixed(2)} to ${high.toFixed(2)}`;
  return <Bar value={(known.mean - low) / Math.max(high - low, 1e-9)} kind={measure} text={three(known.mean)} title={title} />;
}

/** The three weights side by side. */
export function Weights({ found }: { found: Found }) {
  const [own, amaf, permutation] = found.weights.map((weight) => 100 * weight) as [number, number, number];
  const text = `own ${own.toFixed(0)} %, AMAF ${amaf.toFixed(0)} %, permutation ${permutation.toFixed(0)} %`;
  return (
    <span class="weights" title={text} aria-label={text}>
      <i class="mean" style={{ width: `${own}%` }} />
      <i class="amaf" style={{ width: `${amaf}%` }} />
      <i class="permutation" style={{ width: `${permutation}%` }} />
    </span>
  );
}

/** Two moves side by side, and the statistic that makes the difference. */
export function Versus({ report, a, b }: { report: Report; a: string; b: string }) {
  const [left, right] = [a, b].map((move) => report.moves.find((found) => found.move === move));
  if (!left || !right) return null;
  const parts = KINDS.filter((measure) => has(report, measure));
  const score = (found: Found) =>
    found.weights.reduce((sum, weight, i) => sum + weight * (source(found, KINDS[i] as Measure)?.mean ?? 0), 0);
  const names = { mean: "own mean", amaf: "AMAF mean", permutation: "permutation mean" };
  const line = (title: string, of: (found: Found) => string, number: (found: Found) => number) => (
    <tr key={title}>
      <td class={number(left) >= number(right) ? "more" : ""}>{of(left)}</td>
      <th scope="row">{title}</th>
      <td class={number(right) >= number(left) ? "more" : ""}>{of(right)}</td>
    </tr>
  );
  const [first, second] = score(left) >= score(right) ? [left, right] : [right, left];
  const gap = score(first) - score(second);
  const same = three(gap) === three(0);
  const reason = parts
    .map((measure, i) => ({ measure, by: (source(first, measure)?.mean ?? 0) * (first.weights[i] ?? 0) - (source(second, measure)?.mean ?? 0) * (second.weights[i] ?? 0) }))
    .sort((x, y) => y.by - x.by)[0];
  return (
    <div class="versus">
      <table>
        <thead>
          <tr>
            <th>{a}</th>
            <td />
            <th>{b}</th>
          </tr>
        </thead>
        <tbody>
          {line("visits", (found) => count(found.visits), (found) => found.visits)}
          {parts.map((measure) => {
            const mean = (found: Found) => source(found, measure);
            return line(names[measure], (found) => (mean(found)?.count ? `${three(mean(found)?.mean ?? 0)} of ${count(mean(found)?.count ?? 0)}` : "–"), (found) => mean(found)?.mean ?? 0);
          })}
          {parts.length > 1 && line("score", (found) => three(score(found)), score)}
          <tr>
            <td>
              <Weights found={left} />
            </td>
            <th scope="row">weights</th>
            <td>
              <Weights found={right} />
            </td>
          </tr>
        </tbody>
      </table>
      <p>
        {parts.length > 1 && reason && same && "Their scores are nearly equal. "}
        {parts.length > 1 && reason && !same && (
          <>
            <b>{first.move}</b> scores {three(gap)} more than <b>{second.move}</b>, mainly because of its {names[reason.measure]}.{" "}
          </>
        )}
        {left.visits !== right.visits && (
          <>
            <b>{(left.visits > right.visits ? left : right).move}</b> has {count(Math.abs(left.visits - right.visits))} more visits.
          </>
        )}
      </p>
    </div>
  );
}
