// Turns a picture and the legal moves into places that can be clicked, for any game.

/** A place on the board that moves refer to. */
export interface Place {
  name: string;
  x: number;
  y: number;
  r: number;
}

/** A picture with its places. */
export interface Picture {
  svg: string;
  width: number;
  height: number;
  /** All places. Several can share a name; moves are shown at the first. */
  places: Place[];
  /** The first place of each name. */
  at: Map<string, Place>;
}

/** Reads the places of a picture. */
export function readPicture(svg: string): Picture {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [, , width = 100, height = 100] = (root.getAttribute("viewBox") ?? "").split(/\s+/).map(Number);
  const places: Place[] = [];
  const at = new Map<string, Place>();
  for (const circle of root.querySelectorAll("[data-place]")) {
    const number = (key: string) => Number(circle.getAttribute(key));
    const place = { name: circle.getAttribute("data-place") ?? "", x: number("cx"), y: number("cy"), r: number("r") };
    const first = at.get(place.name);
    if (first?.x === place.x && first.y === place.y) continue;
    places.push(place);
    if (!first) at.set(place.name, place);
  }
  return { svg, width, height, places, at };
}

/** The places in the text of a move, in order: the longest name at each character; characters without one are skipped. */
export function placesOf(move: string, names: ReadonlyMap<string, unknown>): string[] {
  const found: string[] = [];
  for (let i = 0; i < move.length; ) {
    let length = Math.min(4, move.length - i);
    while (length > 0 && !names.has(move.slice(i, i + length))) length--;
    if (length > 0) found.push(move.slice(i, i + length));
    i += Math.max(length, 1);
  }
  return found;
}

/** The effect of a click. */
export type Step =
  | { kind: "play"; move: string }
  | { kind: "pick"; picked: string[]; choices: string[] }
  | { kind: "none" };

/** The legal moves by their places. */
export class Clicks {
  private readonly steps: [string, string[]][];

  constructor(legal: string[], names: ReadonlyMap<string, unknown>) {
    this.steps = legal.map((move) => [move, placesOf(move, names)]);
  }

  /** The place that all moves start with, which needs no click. */
  given(): string[] {
    const first = this.steps[0]?.[1] ?? [];
    const shared = first.length > 1 && this.steps.length > 1 && this.steps.every(([, steps]) => steps.length > 1 && steps[0] === first[0]);
    return shared ? first.slice(0, 1) : [];
  }

  /** The moves that start with these places. */
  private after(picked: string[]): [string, string[]][] {
    return this.steps.filter(([, steps]) => picked.every((name, i) => steps[i] === name));
  }

  /** The places that can be clicked next. */
  next(picked: string[]): Set<string> {
    const names = this.after(picked).map(([, steps]) => steps[picked.length]);
    return new Set(names.filter((name): name is string => name !== undefined));
  }

  /** The moves without a place. */
  others(): string[] {
    return this.steps.filter(([, steps]) => steps.length === 0).map(([move]) => move);
  }

  click(picked: string[], name: string): Step {
    const path = [...picked, name];
    const found = this.after(path);
    if (found.length === 0) {
      const anew = picked.length > 0 && picked[picked.length - 1] !== name && this.next(this.given()).has(name);
      return anew ? this.click(this.given(), name) : picked.length > this.given().length ? { kind: "pick", picked: this.given(), choices: [] } : { kind: "none" };
    }
    const complete = found.filter(([, steps]) => steps.length === path.length).map(([move]) => move);
    const only = found[0];
    if (found.length === 1 && complete.length === 1 && only) return { kind: "play", move: only[0] };
    return { kind: "pick", picked: path, choices: complete };
  }
}
