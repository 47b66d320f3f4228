// Games as links and as files.

/** A game that was played. */
export interface GameText {
  game: string;
  moves: string[];
  seats?: string[];
}

/** The part of an address after #: a page and its parameters. */
export function readHash(hash: string): [string, URLSearchParams] {
  const [page = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return [page, new URLSearchParams(query)];
}

/** The address of a game. Spaces separate the moves, which contain none. */
export function hashOf({ game, moves, seats }: GameText): string {
  const query = new URLSearchParams({ game });
  if (moves.length) query.set("moves", moves.join(" "));
  if (seats) query.set("seats", seats.join(" "));
  return `#/play?${query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%3D", "=")}`;
}

export function gameOf(query: URLSearchParams): GameText | undefined {
  const game = query.get("game");
  if (!game) return undefined;
  const seats = query.get("seats")?.split(/\s+/).filter(Boolean);
  return { game, moves: (query.get("moves") ?? "").split(/\s+/).filter(Boolean), ...(seats ? { seats } : {}) };
}

/** A record as `permutree experiment export --format records` writes it: tags, an empty line, moves. */
export function writeRecord({ game, moves, seats }: GameText, rewards?: number[]): string {
  const tags = [`[Game ${JSON.stringify(game)}]`];
  seats?.forEach((seat, i) => tags.push(`[Seat${i + 1} ${JSON.stringify(seat)}]`));
  if (rewards) tags.push(`[Rewards ${JSON.stringify(rewards.join(" "))}]`);
  const lines: string[] = [""];
  for (const move of moves) {
    const line = lines[lines.length - 1] as string;
    if (line.length + move.length > 79) lines.push(move);
    else lines[lines.length - 1] = line ? `${line} ${move}` : move;
  }
  return `${tags.join("\n")}\n\n${lines.join("\n")}\n`;
}

/** Reads a record or an SGF file. */
export function readRecord(text: string): GameText {
  if (/^\s*\(\s*;/.test(text)) return readSgf(text);
  const tags = new Map<string, string>();
  const moves: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const tag = /^\[(\w+) (".*")\]\s*$/.exec(line);
    if (tag) {
      try {
        tags.set(tag[1] as string, String(JSON.parse(tag[2] as string)));
      } catch {
        throw new Error(`invalid tag: ${line}`);
      }
    } else moves.push(...line.split(/\s+/).filter(Boolean));
  }
  const game = tags.get("Game");
  if (!game) throw new Error('the file has no [Game ".."] tag and is not SGF');
  return { game, moves };
}

// The games whose SGF numbers and points are supported.
const SGF: Record<string, { number: number; size: number }> = {
  go: { number: 1, size: 9 },
  atarigo: { number: 1, size: 6 },
  gomoku: { number: 4, size: 9 },
  hex: { number: 11, size: 11 },
};

const nameOf = (game: string) => game.split(":")[0] as string;

export const fitsSgf = (game: string) => nameOf(game) in SGF && !/players=3|opening=|swap=true/.test(game);

/** Writes SGF for a board of this size. */
export function writeSgf({ game, moves }: GameText, size: number): string {
  const kind = SGF[nameOf(game)];
  if (!kind) throw new Error(`there is no SGF for ${game}`);
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const columns = nameOf(game) === "go" ? letters.replace("i", "") : letters;
  const point = (move: string) => {
    if (move === "pass") return "";
    if (kind.number === 11) return move;
    const row = Number(move.slice(1));
    return `${letters[columns.indexOf(move[0] as string)]}${letters[size - row]}`;
  };
  const nodes = moves.map((move, i) => `;${i % 2 === 0 ? "B" : "W"}[${point(move)}]`);
  return `(;FF[4]GM[${kind.number}]SZ[${size}]AP[Permutree]C[${game.replace(/[\]\\]/g, "\\$&")}]\n${nodes.join("")})\n`;
}

function readSgf(text: string): GameText {
  const value = (key: string) => new RegExp(`(?:^|[^A-Z])${key}\\[((?:[^\\]\\\\]|\\\\.)*)\\]`).exec(text)?.[1];
  const size = Number(value("SZ") ?? 19);
  const number = Number(value("GM") ?? 1);
  const ours = value("AP") === "Permutree" ? value("C")?.replace(/\\(.)/g, "$1") : undefined;
  const name = Object.keys(SGF).find((name) => SGF[name]?.number === number);
  if (!name || !(size > 0 && size < 27)) throw new Error("the SGF file is for a game or a board size that is not supported");
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const game = ours ?? `${name}:${size}`;
  const columns = nameOf(game) === "go" ? letters.replace("i", "") : letters;
  const moves = [...text.matchAll(/;\s*[BW]\[([^\]]*)\]/g)].map(([, point = ""]) => {
    if (number === 11) return point;
    if (point === "" || (point === "tt" && size < 20)) return "pass";
    return `${columns[letters.indexOf(point[0] as string)]}${size - letters.indexOf(point[1] as string)}`;
  });
  return { game, moves };
}

/** Lets the browser save a file. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
