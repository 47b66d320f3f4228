// Tests the page in a real browser. `node tests/run.mjs [part of a name]`; with SHOTS=folder it takes screenshots.

import { browse, open, serve } from "./browser.mjs";
import * as play from "./play.mjs";
import * as inside from "./inside.mjs";
import * as matches from "./matches.mjs";

const tests = { ...play, ...inside, ...matches };
const wanted = process.argv[2] ?? "";
const server = await serve();
const browser = await browse();
let failed = 0;
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(wanted))) {
  const started = performance.now();
  let page;
  try {
    const visit = async (hash, options) => (page = await open(browser, `${server.url}${hash}`, options));
    const said = await test(visit);
    if (page.troubles.length) throw new Error(`the console says: ${page.troubles.join("; ")}`);
    console.log(`ok    ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)${said ? `: ${said}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error.message}`);
    if (process.env.SHOTS) await page?.screenshot({ path: `${process.env.SHOTS}/failed-${name}.png` });
  }
  await page?.context().close();
}
await browser.close();
server.stop();
if (failed) console.log(`${failed} failed`);
process.exitCode = failed ? 1 : 0;
