import { check, shoot, turn } from "./browser.mjs";

const numbers = (page) => page.locator(".heat text").allTextContents();

/** Visits, mean and AMAF show different numbers on the board. */
export async function heat_map_switches(visit) {
  const page = await visit("#/play?game=hex:5&moves=c3&seats=you you");
  await page.waitForSelector('.inside[data-state="done"]');
  const seen = [];
  for (const name of ["Visits", "Mean", "AMAF"]) {
    await page.click(`.switch >> text=${name}`);
    check((await page.getAttribute(`.switch >> text=${name}`, "aria-checked")) === "true", name);
    seen.push((await numbers(page)).join());
  }
  check(new Set(seen).size === 3, `the same numbers: ${seen.join(" | ")}`);
  await page.click(".switch >> text=Off");
  check((await numbers(page)).length === 0, "off is off");
  // UCT has no AMAF.
  await page.selectOption('[aria-label="Analyst"]', "uct");
  await page.waitForSelector('.switch .amaf:disabled');
}

/** The principal variation, two moves side by side, the tree, and the slider. */
export async function the_inside_of_a_search(visit) {
  const page = await visit("#/play?game=hex:7,opening=b2&moves=e6&seats=you mcps");
  await page.waitForSelector('.inside[data-state="done"]');
  const board = () => page.locator(".board .picture").innerHTML();
  const before = await board();
  await page.hover(".line .ply >> nth=2");
  await page.waitForFunction((before) => document.querySelector(".board .picture").innerHTML !== before, before);
  await page.mouse.move(0, 0);
  await page.waitForFunction((before) => document.querySelector(".board .picture").innerHTML === before, before);
  await page.click(".moves tbody tr >> nth=0");
  await page.click(".moves tbody tr >> nth=1");
  check(/scores 0\.\d+ more|more visits/.test(await page.textContent(".versus p")), "what makes the difference");
  await shoot(page, "inside");
  await page.click(".moves .down >> nth=0");
  await page.waitForSelector(".crumbs small");
  const row = page.locator(".moves tbody tr").first();
  const [amaf, permutation] = [await row.locator(".bar.amaf").getAttribute("title"), await row.locator(".bar.permutation").getAttribute("title")];
  check(amaf !== permutation, `below the root the counts differ: ${amaf}`);
  await page.click(".moves .down >> nth=0");
  await page.waitForFunction(() => document.querySelectorAll(".crumbs span").length === 2);
  await page.click(".crumbs >> text=root");
  // The search after its first playout.
  await page.fill('[aria-label="Replay the search"]', "0");
  await page.waitForFunction(() => document.querySelector(".slider output").textContent === "1");
  const visits = await page.locator(".bar.visits b").allTextContents();
  check(visits.filter((text) => text === "1").length === 1, visits.join());
}

/** Time budgets and several threads: the page says that another run will differ. */
export async function results_that_differ(visit) {
  const said = (page) => page.locator(".inside >> text=Another run will differ").count();
  const page = await visit("#/play?game=hex:5&moves=c3&seats=you you");
  await page.waitForSelector('.inside[data-state="done"]');
  check((await said(page)) === 0, "a budget in playouts is repeatable");
  await page.selectOption('[aria-label="Budget"]', { label: "half a second" });
  await page.waitForSelector(".inside >> text=Another run will differ");
}

/** Parameters that a single search ignores, or that the server refuses, are not offered; those of before are renamed. */
export async function parameters(visit) {
  const page = await visit("#/play?game=hex:5&moves=c3&seats=you sarsa-uct:playout=mast");
  await turn(page);
  const agents = await page.evaluate(async () => (await fetch("/api/agents")).json());
  const sarsa = agents.find(({ name }) => name === "sarsa-uct");
  const hidden = sarsa.params.filter(({ reach }) => reach !== "anywhere").map(({ key }) => key);
  check(["values", "reuse"].every((key) => hidden.includes(key)), hidden.join());
  await page.click('[aria-label="Parameters: Seat 2"]');
  const offered = await page.locator(".params label > span").allTextContents();
  check(offered.includes("policy") && !offered.some((key) => hidden.includes(key)), offered.join());
  check((await page.locator('.params label:has(> span:text-is("policy")) select').inputValue()) === "mast", "the policy of the link");
}

export async function two_agents_compared(visit) {
  const page = await visit("#/play?game=hex:5&moves=c3&seats=you you");
  await turn(page);
  await page.click("text=Compare two agents");
  await page.waitForFunction(() => document.querySelectorAll(".side .moves tbody tr").length > 10);
  check((await page.locator(".side .board").count()) === 2, "two boards");
}

/** The tour, with numbers from live searches. */
export async function learn(visit) {
  const page = await visit("#/learn");
  await page.click("text=Play a random game");
  await page.waitForFunction(() => /(Red|Blue) won/.test(document.querySelector(".text").textContent));
  for (const title of ["own results", "all moves as first", "the path in any order", "One score from all three"]) {
    await page.click("text=Next");
    await page.waitForFunction((title) => document.querySelector(".text h2").textContent.includes(title) && document.querySelector(".text .moves tbody tr"), title);
    if (title.includes("path")) await shoot(page, "learn");
  }
  await page.click("text=Play on from here");
  await turn(page);
}

export async function dark(visit) {
  const page = await visit("#/play?game=gomoku:9&moves=e5 e6 d5 f5&seats=you mcps", { colorScheme: "dark" });
  await page.waitForSelector('.inside[data-state="done"]');
  const shade = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const first = await shade();
  await shoot(page, "dark");
  await page.click('[aria-label="Light colours"]');
  await page.waitForFunction((first) => getComputedStyle(document.documentElement).backgroundColor !== first, first);
}
