// The numbers of a report, as the page shows them.

import type { Found, Report } from "./api";

/** The statistic of a heat map. */
export type Measure = "visits" | "mean" | "amaf" | "permutation";

export const MEASURES: { key: Measure; title: string; about: string }[] = [
  { key: "visits", title: "Visits", about: "the number of playouts that start with the move" },
  { key: "mean", title: "Mean", about: "the mean reward of those playouts for the player to move" },
  { key: "amaf", title: "AMAF", about: "the mean reward of all playouts that contain the move" },
  { key: "permutation", title: "Permutation", about: "the mean reward of all playouts that contain the path and the move, in any order" },
];

/** A mean with its number of playouts, if the agent keeps it. */
export function source(found: Found, measure: Measure): { count: number; mean: number } | undefined {
  if (measure === "amaf") return found.amaf ?? undefined;
  if (measure === "permutation") return found.permutation ?? undefined;
  return { count: found.visits, mean: found.mean };
}

/** Whether the agent keeps this statistic. */
export const has = (report: Report, measure: Measure) => report.moves.some((found) => source(found, measure) !== undefined);

/** Each move with its heat, 0..1, and its label. Means are scaled between the worst and the best. */
export function measured(report: Report, measure: Measure): { move: string; share: number; text: string }[] {
  if (measure === "visits") {
    const all = report.moves.reduce((sum, found) => sum + found.visits, 0) || 1;
    return report.moves.map((found) => ({ move: found.move, share: found.visits / all, text: percent(found.visits / all) }));
  }
  const sources = report.moves.flatMap((found) => {
    const known = source(found, measure);
    return known && known.count > 0 ? [{ move: found.move, mean: known.mean }] : [];
  });
  const [low, high] = [Math.min(...sources.map((s) => s.mean)), Math.max(...sources.map((s) => s.mean))];
  const spread = Math.max(high - low, 1e-9);
  return sources.map(({ move, mean }) => ({ move, share: 0.04 + 0.96 * ((mean - low) / spread) ** 2, text: percent(mean) }));
}

export const percent = (share: number) => `${Math.round(100 * share)}`;
export const count = (n: number) => n.toLocaleString("en");
export const three = (x: number) => x.toFixed(3);

/** Said beside a result that is not deterministic. */
export const DIFFERS = "Another run will differ: time budgets and search threads are not deterministic.";

/** The outcome of a game in words. */
export function outcome(rewards: number[], name: (player: number) => string): string {
  const best = Math.max(...rewards);
  const winners = rewards.flatMap((reward, i) => (reward === best ? [i + 1] : []));
  if (rewards.length === 1) return `The game is over with ${three(best)}.`;
  if (winners.length === rewards.length) return "A draw.";
  const verb = winners.length > 1 ? "share the win" : name(winners[0] as number) === "You" ? "win" : "wins";
  return `${winners.map(name).join(" and ")} ${verb}.`;
}
