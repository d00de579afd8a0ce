// The view of a correction: rows of strips that were read as the same half of an image. Strips can be dragged
// to another row, or selected and moved; halves can be paired, and images renamed.

const SIDES = ["top", "right", "bottom", "left"];
/** The fraction of a card that a strip shows. */
const DEPTH = 0.42;
const WIDTH = 96;
/** The duration of a long press that picks up a strip, in milliseconds. */
const LONG_PRESS = 300;
/** The distance that a pointer moves before it picks up a strip, in pixels. */
const FAR = 6;

/** Creates an element with attributes and children; attributes that begin with "on" are listeners. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Shows a reading in `place` for correction. `said` is called with a message after each action. */
export function review(place, correction, said) {
  const pictures = correction.reading.cards.map((link) => {
    const picture = new Image();
    picture.src = link;
    return picture;
  });
  let selected = new Set();
  let dragged = null;

  function sideName(side) {
    return `${Math.floor(side / 4) + 1} ${SIDES[side % 4]}`;
  }

  /** Draws the strip along a side; in an upper row, with its edge at the bottom. */
  function drawn(side, isUpper) {
    const canvas = element("canvas", { width: 2 * WIDTH, height: Math.round(2 * WIDTH * DEPTH) });
    const picture = pictures[Math.floor(side / 4)];
    const draw = () => {
      const pen = canvas.getContext("2d");
      pen.translate(WIDTH, isUpper ? canvas.height - WIDTH : WIDTH);
      pen.rotate((-(side % 4) * Math.PI) / 2 + (isUpper ? Math.PI : 0));
      pen.drawImage(picture, -WIDTH, -WIDTH, 2 * WIDTH, 2 * WIDTH);
    };
    if (picture.complete) draw();
    else picture.addEventListener("load", draw, { once: true });
    return canvas;
  }

  function strip(side, isUpper) {
    const { certainty } = correction.reading.sides[side];
    const isDoubtful = !correction.state.seen[side];
    const percent = Math.floor(certainty * 100);
    const button = element(
      "button",
      {
        type: "button",
        class: `strip${isDoubtful ? " doubtful" : ""}`,
        "data-side": side,
        "aria-pressed": String(selected.has(side)),
        "aria-label": `card ${sideName(side)}${isDoubtful ? `, doubtful, ${percent} %` : ""}`,
        onclick: () => toggle(side),
      },
      drawn(side, isUpper),
      element("span", {}, `${isDoubtful ? "? " : ""}${sideName(side)}`),
    );
    draggable(button, side);
    return button;
  }

  function toggle(side) {
    if (dragged) return;
    if (selected.has(side)) selected.delete(side);
    else selected.add(side);
    show(`[data-side="${side}"]`);
  }

  function moved(sides, group) {
    correction.move(sides, group);
    selected = new Set();
    const target = correction.state.of[sides[0]];
    const names = sides.map(sideName).join(", ");
    said(`${names} moved to ${correction.edge(target)}`);
    show(`[data-side="${sides[0]}"]`);
  }

  /** Makes a strip draggable: immediately with a mouse, after a long press with a finger. */
  function draggable(button, side) {
    let from = null;
    let timer = null;
    const begin = (event) => {
      const ghost = button.cloneNode(true);
      ghost.querySelector("canvas").getContext("2d").drawImage(button.querySelector("canvas"), 0, 0);
      ghost.classList.add("review-ghost");
      // An open dialog covers the rest of the page, so the ghost must be inside it.
      (place.closest("dialog") ?? document.body).append(ghost);
      dragged = { ghost, row: null };
      button.classList.add("taken");
      follow(event);
    };
    const follow = ({ clientX, clientY }) => {
      dragged.ghost.style.left = `${clientX - WIDTH / 2}px`;
      dragged.ghost.style.top = `${clientY - 20}px`;
      const row = document.elementFromPoint(clientX, clientY)?.closest("[data-row]") ?? null;
      if (row !== dragged.row) {
        dragged.row?.classList.remove("target");
        row?.classList.add("target");
        dragged.row = row;
      }
    };
    const end = (isDropped) => {
      clearTimeout(timer);
      from = null;
      if (!dragged) return;
      const { ghost, row } = dragged;
      ghost.remove();
      row?.classList.remove("target");
      button.classList.remove("taken");
      // The click that follows a drag must be ignored.
      setTimeout(() => (dragged = null));
      if (isDropped && row) {
        const group = row.dataset.row === "new" ? null : Number(row.dataset.row);
        const sides = selected.has(side) ? [...selected] : [side];
        if (group !== correction.state.of[side]) moved(sides, group);
      }
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = event;
      // A fast mouse could leave the strip before it is picked up.
      if (event.pointerType !== "touch") button.setPointerCapture(event.pointerId);
      if (event.pointerType === "touch") timer = setTimeout(() => from && begin(from), LONG_PRESS);
    });
    button.addEventListener("pointermove", (event) => {
      if (!from) return;
      const isFar = Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > FAR;
      if (!dragged && isFar && event.pointerType === "touch") {
        clearTimeout(timer);
        from = null;
      } else if (!dragged && isFar) {
        begin(event);
      } else if (dragged) {
        follow(event);
      }
    });
    button.addEventListener("pointerup", () => end(true));
    button.addEventListener("pointercancel", () => end(false));
    button.addEventListener("touchmove", (event) => dragged && event.preventDefault(), { passive: false });
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  function row(group) {
    const { mates } = correction.state;
    const mate = mates[group];
    const isUpper = mate !== group && group < mate;
    const edge = correction.edge(group);
    const isUnsure = correction.isUnsure(group);
    const members = correction.members(group);
    const strips = members.map((side) => strip(side, isUpper));
    const name = element("input", {
      value: correction.state.names[Math.min(group, mate)],
      "aria-label": `name of the image ${edge}`,
      size: 8,
      maxlength: 40,
      autocapitalize: "off",
      onkeydown: (event) => {
        // Enter must not submit a surrounding form.
        if (event.key !== "Enter") return;
        event.preventDefault();
        event.target.blur();
      },
      onchange: ({ target }) => {
        const wanted = target.value.trim();
        const why = correction.refused(group, wanted);
        if (why) said(why);
        else correction.rename(group, wanted);
        show(`[data-row="${group}"] input`);
      },
    });
    const others = correction.rows().filter((other) => other !== group);
    const option = (value, text, isChosen) => element("option", { value, selected: isChosen }, text);
    const pairing = element(
      "select",
      {
        class: isUnsure ? "doubtful" : "",
        "aria-label": `what ${edge} matches${isUnsure ? ", doubtful" : ""}`,
        onchange: ({ target }) => {
          correction.pair(group, Number(target.value));
          said(`${correction.edge(group)} matches ${correction.edge(correction.state.mates[group])}`);
          show(`[data-row="${group}"] select`);
        },
      },
      option(group, "matches itself", mate === group),
      ...others.map((other) => option(other, `matches ${correction.edge(other)}`, mate === other)),
    );
    const joining = element(
      "select",
      {
        "aria-label": `join ${edge} with`,
        onchange: ({ target }) => {
          const other = Number(target.value);
          correction.join(group, other);
          said(`joined with ${correction.edge(other)}`);
          show(`[data-row="${other}"] select`);
        },
      },
      option("", "join with…", true),
      ...others.map((other) => option(other, correction.edge(other), false)),
    );
    const here = element("button", { type: "button", class: "here", onclick: () => moved([...selected], group) }, `Move to ${edge}`);
    here.hidden = selected.size === 0;
    const head = element("div", { class: "head" }, isUpper || mate === group ? name : "", element("b", {}, `${edge} · ${members.length}`), pairing, joining, here);
    const all = element("div", { class: "strips" }, ...strips);
    // Nothing may be between the strips of two halves.
    const isLower = mate < group;
    return element(
      "div",
      { class: `row${isUpper ? " upper" : ""}`, "data-row": group, role: "group", "aria-label": `${edge}: ${members.length} sides` },
      ...(isLower ? [all, head] : [head, all]),
    );
  }

  /** Redraws everything, and restores the focus to the element that `focus` selects. */
  function show(focus) {
    const fresh = element("button", { type: "button", class: "here", onclick: () => moved([...selected], null) }, "Move to a new image");
    fresh.hidden = selected.size === 0;
    const undo = element("button", { type: "button", onclick: () => (correction.undo(), said("undone"), show()) }, "Undo");
    undo.disabled = correction.past.length === 0;
    const off = correction.balance();
    place.replaceChildren(
      element("p", { class: "balance" }, off ? `Out of balance: ${off}.` : ""),
      ...correction.rows().map(row),
      element("div", { class: "row new", "data-row": "new" }, "New image: drop a strip here ", fresh),
      undo,
    );
    if (focus) place.querySelector(focus)?.focus();
  }

  show();
}
