// A server, a browser, and what all tests do with a page.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${root}target`;

/** The program under test. */
const program = process.env.PERMUTREE ?? `${target}/debug/permutree`;

/** Starts the server on a free port. */
export async function serve(...args) {
  const server = spawn(program, ["serve", "--bind", "127.0.0.1:0", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    server.once("error", reject);
    server.once("exit", (status) => reject(new Error(`${program} serve ended with ${status}`)));
  });
  return { url, pid: server.pid, stop: () => server.kill("SIGINT") };
}

export async function browse() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("no Chromium; on Debian: apt-get install chromium");
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath, args });
}

/** Opens a page that fails the test on any error in its console. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.troubles = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.troubles.push(message.text()));
  page.on("pageerror", (error) => page.troubles.push(error.message));
  await page.goto(url);
  return page;
}

export async function shoot(page, name, options = {}) {
  const folder = process.env.SHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, ...options });
}

/** Waits until it is the visitor's turn or the game is over, and returns which. */
export async function turn(page) {
  await page.waitForSelector('.status[data-turn="yours"], .status[data-turn="over"]');
  return page.getAttribute(".status", "data-turn");
}

/** The number of moves played. */
export const plies = (page) => page.locator(".moves-played .ply").count();

export function check(truth, what) {
  if (!truth) throw new Error(what);
}
