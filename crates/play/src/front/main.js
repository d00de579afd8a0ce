// The page: a start screen, and one puzzle at a time.
import * as address from "./address.js";
import * as daily from "./daily.js";
import { asMenu } from "./dialog.js";
import { askCards, askFresh, askLeave, randomWish } from "./dialogs.js";
import { byId } from "./dom.js";
import { Gallery } from "./gallery.js";
import { withIcons } from "./icons.js";
import { handleKey, showKeys } from "./keys.js";
import * as looks from "./looks.js";
import { Offered } from "./offered.js";
import { askPrint, savePicture, saveText } from "./saving.js";
import { Server } from "./server.js";
import { Session } from "./session.js";
import { askShare, shareResult } from "./share.js";
import { drawSheet } from "./sheet.js";
import { Solver } from "./solver.js";
import * as sound from "./sound.js";
import { titleOf } from "./spoken.js";
import { report, say } from "./status.js";
import * as storage from "./storage.js";
import { inWords, language, t } from "./words.js";

class Page {
  constructor(source) {
    this.source = source;
    this.session = new Session(source);
    this.gallery = new Gallery(source, {
      play: (level) => this.play(level),
      enter: () => this.enter(),
      make: () => this.make(),
    });
    this.own = null;
    this.listen();
  }

  listen() {
    const { session } = this;
    const { table, questions } = session;
    const acts = {
      undo: () => session.undo(),
      redo: () => session.redo(),
      clear: () => session.clear(),
      turn: () => table.turnChosen(-1),
      unturn: () => table.turnChosen(1),
      over: () => table.turnOverChosen(),
      back: () => table.backChosen(),
      hint: () => questions.hint(),
      count: () => questions.count(),
      solve: () => questions.solve(),
      doctor: () => questions.examine(),
      closest: () => questions.closest(),
      deal: () => questions.deal(),
      watch: () => questions.record(),
      check: () => session.check(),
      pause: () => session.pause(),
      "go-on-playing": () => session.pause(),
      "remove-wrong": () => session.removeDoubted(),
      "share-result": () => report(() => shareResult(session)),
      today: () => report(() => this.today()),
      all: () => this.home(),
      fresh: () => this.make(),
      enter: () => this.enter(),
      save: () => this.save(),
      share: () => this.share(),
      picture: () => report(() => savePicture(session.game, session.play.placed, table.board.svg)),
      print: () => askPrint(session.game),
      keys: () => showKeys(),
      "next-puzzle": () => this.next(),
    };
    for (const [id, act] of Object.entries(acts)) {
      byId(id).addEventListener("click", (event) => {
        event.preventDefault();
        if (!["pause", "go-on-playing"].includes(id)) {
          session.clock.goOn();
        }
        act();
      });
    }
    byId("language").value = language;
    byId("language").addEventListener("change", ({ target }) => {
      storage.choose("language", target.value);
      location.assign(location.pathname + location.hash);
      location.reload();
    });
    const noise = byId("sound");
    noise.checked = sound.isOn();
    noise.addEventListener("change", () => sound.turnOn(noise.checked));
    looks.listen(() => report(() => looks.redress(session)));
    const mistakes = byId("mistakes");
    mistakes.checked = storage.setting("mistakes", false);
    mistakes.addEventListener("change", () => session.markMistakes(mistakes.checked));
    document.addEventListener("keydown", (event) => handleKey(session, event));
    asMenu(byId("more"));
    addEventListener("beforeunload", (event) => this.isAtRisk() && event.preventDefault());
    address.onChange(() => this.route());
  }

  /** Opens the puzzle in the address. */
  async route() {
    const { position, ...puzzle } = address.read();
    if (this.session.isOpen(puzzle)) {
      this.wanted = null;
      this.session.goTo(position);
    } else if (puzzle.code || puzzle.name) {
      await report(() => this.find(puzzle, position, false));
    } else {
      this.showGallery();
    }
  }

  /** Opens a puzzle of the server, one stored in this browser, or one encoded in the address. */
  async find({ code, name }, position, isStep) {
    const listed = code ? this.gallery.coded(code) : this.gallery.named(name);
    const own = storage.puzzles().find((one) => one.code === code);
    // If several requests are running, the last one wins.
    const wanted = (this.wanted = {});
    const which = listed ? { name: listed.name } : { text: own?.text ?? code };
    if (!listed && !code) {
      this.showGallery();
      throw new Error(t("no-such-puzzle", name));
    }
    say(t("opening"));
    let opened;
    try {
      opened = await this.source.game(which, own?.images, looks.look(own?.kind));
      await drawSheet(opened.game);
    } catch (error) {
      if (this.wanted !== wanted) {
        return;
      }
      this.showGallery();
      throw which.text === code && error.isAnswer ? new Error(t("bad-link")) : error;
    }
    // The names of images may come in another order; the address keeps its code.
    opened.game.code = listed?.code ?? code ?? opened.game.code;
    opened.found = listed?.found;
    if (this.wanted === wanted) {
      this.open(opened, listed?.name, own ?? null, position, isStep);
    }
  }

  /** Opens and stores a puzzle that was generated or entered here; `kept` is stored with it. */
  async openOwn({ text, game: { code } }, kept, images = []) {
    const opened = await this.source.game({ text }, images, looks.look(kept.kind));
    await drawSheet(opened.game);
    const own = { code, text, images, title: titleOf(opened.game), isSaved: kept.kind !== "entered", ...kept };
    opened.game.code = code;
    storage.keepPuzzle(own);
    // A dialog may close before the player is asked whether to leave another puzzle.
    this.mayLeave().then((may) => may && this.open(opened, undefined, own, null, true));
  }

  /** Opens a random puzzle of nine tiles with one solution and this difficulty; without a solver, or without
   * a difficulty, the next one of the list. */
  async play(level) {
    if (!level || !this.source.canSolve) {
      this.next();
      return;
    }
    storage.choose("level", level);
    await report(async () => {
      say(t("working", 0));
      await this.openOwn(await this.source.fresh(randomWish({ rows: 3, columns: 3, difficulty: level })), { kind: "random", level });
    });
  }

  async today() {
    const own = daily.stored();
    if (own) {
      await this.find(own, null, true);
    } else {
      say(t("working", 0));
      await this.openOwn(await this.source.fresh(daily.wish()), daily.mark());
    }
  }

  open(opened, name, own, position, isStep) {
    this.wanted = null;
    this.own = own?.kind === "entered" ? own : null;
    byId("gallery").hidden = true;
    byId("play").hidden = false;
    document.body.classList.add("playing");
    window.scrollTo(0, 0);
    this.session.open(opened, name, position, isStep, own);
    this.session.table.board.focus();
  }

  showGallery() {
    const last = this.session.puzzle ? (this.session.puzzle.name ?? "") : null;
    this.wanted = null;
    this.own = null;
    this.session.close();
    byId("gallery").hidden = false;
    byId("play").hidden = true;
    document.body.classList.remove("playing");
    byId("title").textContent = "edgematch";
    document.title = "edgematch";
    say("");
    this.gallery.show(last);
  }

  async home() {
    if (await this.mayLeave()) {
      this.showGallery();
      address.go({}, null);
    }
  }

  /** Returns true if the open puzzle may be left; asks once if it is not saved to a file. */
  async mayLeave() {
    if (!this.own || this.own.isSaved) {
      return true;
    }
    const answer = await askLeave(this.session.game.title);
    if (answer === "save") {
      this.save();
    }
    if (answer === "stay") {
      return false;
    }
    this.markSaved();
    return true;
  }

  /** Returns true if closing the page would lose an unsaved puzzle or a game that the browser cannot
   * store. */
  isAtRisk() {
    const isUnsaved = this.own !== null && !this.own.isSaved;
    const isPlayed = this.session.puzzle !== null && this.session.play.isTouched;
    return isUnsaved || (isPlayed && !storage.keepsAll());
  }

  markSaved() {
    if (this.own) {
      this.own.isSaved = true;
      storage.keepPuzzle(this.own);
    }
  }

  /** Opens the next puzzle, or generates one like this one if it was generated. */
  async next() {
    const kept = this.session.puzzle && storage.puzzles().find(({ code }) => code === this.session.game.code);
    const next = this.gallery.after(this.session.puzzle?.name);
    if (kept?.level) {
      await this.play(kept.level);
    } else if (kept?.kind === "random" || (this.session.puzzle && !next)) {
      this.make();
    } else if (next && (await this.mayLeave())) {
      await report(() => this.find({ name: next.name }, null, true));
    }
  }

  make() {
    askFresh(this.source, (opened) => this.openOwn(opened, { kind: "random" }));
  }

  enter() {
    report(() => askCards(this.source, (opened, images) => this.openOwn(opened, { kind: "entered" }, images)));
  }

  save() {
    saveText(this.session.game, this.session.text);
    this.markSaved();
  }

  share() {
    const { puzzle, play, table } = this.session;
    const isSolved = table.board.verdict.fits;
    askShare(this.source, { whole: address.link(puzzle, play.position), start: address.link(puzzle, ""), isSolved });
  }
}

async function begin() {
  inWords(document);
  withIcons(document);
  const inside = byId("offered") && (byId("solver") ? new Solver() : new Offered());
  const source = (await inside?.load()) ?? new Server();
  const page = new Page(source);
  byId("others").hidden = !source.canSolve;
  byId("all").hidden = byId("next-puzzle").hidden = !source.canList;
  await report(() => page.gallery.load());
  const [only] = page.gallery.puzzles;
  const { code, name, position } = address.read();
  if (page.gallery.puzzles.length === 1 && only.text !== null && (!source.canList || (!code && !name))) {
    await report(() => page.find({ name: only.name }, source.canList ? null : position));
  } else {
    await page.route();
  }
  if (document.querySelector("link[rel=manifest]") && "serviceWorker" in navigator) {
    // Without a service worker, the page works as long as its server does.
    navigator.serviceWorker.register("worker.js").catch(() => undefined);
  }
}

begin();
