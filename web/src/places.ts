// From a game's picture and its legal moves to places that can be clicked, without knowing any game.

/** A place that moves name. */
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
  /** All places; several may have one name, and the first is where its move is shown. */
  places: Place[];
  /** The first place of each name. */
  at: Map<string, Place>;
  /** The colours of the players' stones. */
  stones: string[];
}

/** The colours of the players in most pictures. */
export const PLAYERS = ["#d1495b", "#2e6f95", "#4c956c", "#e09f3e", "#7b5ea7", "#5f6b6d", "#c08497", "#8a6d3b"];

/** Boards whose stones have other colours, by the colour of the board: wood and green cloth have black and white stones. */
const BOARDS: Record<string, string[]> = {
  "#e3bd7b": ["#1a1a1a", "#fafafa"],
  "#3f8f5f": ["#1a1a1a", "#fafafa"],
  "#2f5d9b": ["#d1495b", "#f2c94c"],
};

/** Reads the places that a picture names. */
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
  const board = Object.keys(BOARDS).find((fill) => root.querySelector(`rect[fill="${fill}"]`));
  const own = board ? (BOARDS[board] as string[]) : [];
  return { svg, width, height, places, at, stones: PLAYERS.map((colour, i) => own[i] ?? colour) };
}

/** The places that a move names, in order: the longest name that fits at each letter, and what is between is skipped. */
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

/** What a click leads to. */
export type Step =
  | { kind: "play"; move: string }
  | { kind: "pick"; picked: string[]; choices: string[] }
  | { kind: "none" };

/** Legal moves by the places that they name. */
export class Clicks {
  private readonly steps: [string, string[]][];

  constructor(legal: string[], names: ReadonlyMap<string, unknown>) {
    this.steps = legal.map((move) => [move, placesOf(move, names)]);
  }

  /** Places that are already picked because all moves begin with them. */
  given(): string[] {
    const first = this.steps[0]?.[1] ?? [];
    const shared = first.length > 1 && this.steps.length > 1 && this.steps.every(([, steps]) => steps.length > 1 && steps[0] === first[0]);
    return shared ? first.slice(0, 1) : [];
  }

  /** The moves that begin with these places. */
  private after(picked: string[]): [string, string[]][] {
    return this.steps.filter(([, steps]) => picked.every((name, i) => steps[i] === name));
  }

  /** The places that may come next. */
  next(picked: string[]): Set<string> {
    const names = this.after(picked).map(([, steps]) => steps[picked.length]);
    return new Set(names.filter((name): name is string => name !== undefined));
  }

  /** Moves that no place stands for. */
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
