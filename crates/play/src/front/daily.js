// Today's puzzle, which is the same for everyone, and the player's record: streak and best times.
import * as storage from "./storage.js";
import { language, t } from "./words.js";

/** The size and difficulty by day of the week, from Sunday on. */
const WEEK = [[4, "medium"], [3, "easy"], [3, "medium"], [3, "hard"], [4, "easy"], [3, "medium"], [4, "hard"]];

/** A day as year, month and day with hyphens; `before` counts days back from today. */
function day(before = 0) {
  const date = new Date();
  date.setDate(date.getDate() - before);
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function title() {
  return t("todays", new Date().toLocaleDateString(language, { day: "numeric", month: "long" }));
}

/** The request for today's puzzle: the day is the seed of the generator. */
export function wish() {
  const [side, difficulty] = WEEK[new Date().getDay()];
  return { rows: side, columns: side, halves: true, unique: true, difficulty, seed: Number(day().replaceAll("-", "")), title: title() };
}

/** The stored puzzle of today, if it was opened before. */
export function stored() {
  return storage.puzzles().find((one) => one.kind === "daily" && one.day === day());
}

/** What to store with today's puzzle. */
export function mark() {
  return { kind: "daily", day: day() };
}

export function solvedToday() {
  return storage.setting("days", {})[day()];
}

/** The number of days in a row with a solved puzzle, up to today or yesterday. */
export function streak() {
  const days = storage.setting("days", {});
  let number = 0;
  for (let before = days[day()] ? 0 : 1; days[day(before)]; before++) {
    number += 1;
  }
  return number;
}

/** Records a solved game: `{ time, seconds, hints }`. Returns true if it is the best time on such a board
 * without a hint. */
export function record(game, { time, seconds, hints }, isDaily) {
  if (isDaily) {
    storage.choose("days", { [day()]: { time }, ...storage.setting("days", {}) });
  }
  const best = storage.setting("best", {});
  const isBest = hints === 0 && !(best[game.board]?.seconds <= seconds);
  if (isBest) {
    storage.choose("best", { ...best, [game.board]: { time, seconds } });
  }
  return isBest;
}

/** The boards with the most recent best times, each with its time; at most three. */
export function bestTimes() {
  return Object.entries(storage.setting("best", {})).slice(-3).map(([board, { time }]) => [board, time]);
}
