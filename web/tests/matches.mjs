import { check, shoot, turn } from "./browser.mjs";

async function begin(page, { game = "hex", size = "5", games, budget = "100 playouts", sprt = "" }) {
  await page.waitForSelector(".start");
  await page.selectOption('.start [aria-label="Game"]', game);
  await page.fill('.start [aria-label="size"]', size);
  await page.keyboard.press("Tab");
  await page.selectOption('[aria-label="Budget per move"]', { label: budget });
  await page.fill('[aria-label="Games"]', String(games));
  await page.selectOption('[aria-label="Sequential test"]', sprt);
  await page.click("text=Start");
  await page.waitForSelector(".trial");
}

/** A match from the form runs to its end, and one of its games is replayed. */
export async function a_match_to_its_end(visit) {
  const page = await visit("#/experiments");
  await begin(page, { games: 60 });
  await page.waitForSelector('.trial [data-state="done"]');
  check(/60 of 60 games/.test(await page.textContent(".trial .facts")), "all games");
  const [won, lost] = (await page.textContent(".scores tr >> nth=0")).match(/(\d+)–0–(\d+)/).slice(1).map(Number);
  check(won + lost === 60, `${won} and ${lost}`);
  await page.click("text=games to replay");
  await page.click(".games a >> nth=3");
  await page.waitForSelector('.status[data-turn="over"]');
  await page.click('[aria-label="To the start"]');
  await turn(page);
  check((await page.textContent(".status")).includes("After 0 of"), "replayed from the start");
}

/** An experiment with a sequential test is cancelled and resumed. */
export async function an_experiment_cancelled_and_resumed(visit) {
  const page = await visit("#/experiments");
  // Long enough to be cancelled before it is decided, on a fast machine too.
  await begin(page, { games: 400, size: "7", budget: "5,000 playouts", sprt: "0,20" });
  await page.waitForSelector(".boards .board");
  await page.waitForSelector(".worth canvas");
  if (process.env.SHOTS) await page.waitForFunction(() => Number(document.querySelector(".trial .facts b").textContent) >= 40);
  await shoot(page, "match");
  const played = () => page.textContent(".trial .facts b").then((text) => Number(text.replace(/\D/g, "")));
  await page.click("text=Cancel");
  await page.waitForSelector('.trial [data-state="stopped"]');
  const before = await played();
  check(before > 0 && before < 400, `${before} games`);
  await page.click("text=Resume");
  await page.waitForFunction((before) => Number(document.querySelector(".trial .facts b").textContent.replace(/\D/g, "")) > before, before);
  if (await page.locator("text=Cancel").count()) await page.click("text=Cancel");
  await page.waitForSelector('.trial [data-state="stopped"], .trial [data-state="done"]');
  return `${before} games, then ${await played()}`;
}

/** A file with an error gets a message with the line; a correct one runs. */
export async function an_experiment_from_a_file(visit) {
  const page = await visit("#/experiments");
  await page.click("text=As a file");
  const file = (agents) => `title = "Three at nim"\ngame = "nim"\nround-robin = [${agents}]\nplayouts = 20\ngames = 4\n`;
  await page.fill('[aria-label="Experiment file"]', file('"mcps", "gravee"'));
  await page.click("text=Start");
  await page.waitForSelector('.start [role="alert"]');
  check((await page.textContent('.start [role="alert"]')).includes("experiment:3"), "the line of the error");
  page.troubles.length = 0; // The browser reports the refusal too.
  await page.fill('[aria-label="Experiment file"]', file('"mcps", "grave", "random"'));
  await page.click("text=Start");
  await page.waitForSelector('.trial [data-state="done"]');
  check((await page.locator(".match").count()) === 3, "three matches");
}

/** Tables of a file: totals, seats, the figures of a paper, counted codes, and a note on what is not deterministic. */
export async function a_table_of_results(visit) {
  const page = await visit("#/experiments");
  await page.click("text=As a file");
  const file = `title = "Tables"
games = 4
[[table]]
title = "Scores"
by-seat = true
all-games = true
agents = ["mcps", "random"]
time = "1ms"
rows = [{ game = "nim", paper = 80 }, { game = "hex:3" }]
[[table]]
title = "Codes"
game = "hex:3"
codes = 50
paper = { plies = 7 }
`;
  await page.fill('[aria-label="Experiment file"]', file);
  await page.click("text=Start");
  await page.waitForSelector('.trial [data-state="done"]');
  const text = await page.textContent(".trial");
  for (const part of ["all games", "in seat 2", "Paper: 80.0 %", "paper 7", "Another run will differ"]) check(text.includes(part), `${part}: ${text}`);
  check(/^[\d.,]+$/.test(await page.textContent(".probes td >> nth=1")), "a counted quantity");
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${wide} pixels too wide for a phone`);
}
