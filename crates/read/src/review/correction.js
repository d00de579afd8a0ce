// The state of a correction: the group of each side, the pairing of the groups, and the names of images.
// Sides of a card are numbered clockwise from the top.

/** Quotes a name for YAML if necessary. */
function quoted(name) {
  return /^\p{L}[\p{L}\d_]*[+-]?$/u.test(name) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(name) ? name : JSON.stringify(name);
}

/** A reading being corrected. */
export class Correction {
  /** `reading` has rows, cols, cards, sides, mates, doubtful_mates and names. */
  constructor(reading) {
    this.reading = reading;
    this.past = [];
    this.state = {
      of: reading.sides.map(({ group }) => group),
      mates: [...reading.mates],
      names: [...reading.names],
      seen: reading.sides.map(({ doubtful }) => !doubtful),
    };
  }

  /** Changes the state by a function; the change can be undone. */
  change(how) {
    this.past.push(structuredClone(this.state));
    how(this.state);
  }

  undo() {
    if (this.past.length > 0) this.state = this.past.pop();
  }

  /** The sides of a group, the most certain first. */
  members(group) {
    const sides = this.state.of.flatMap((of, side) => (of === group ? [side] : []));
    return sides.sort((a, b) => this.reading.sides[b].certainty - this.reading.sides[a].certainty);
  }

  /** The non-empty groups and their mates, by name of the image; each first half precedes the other one. */
  rows() {
    const { mates } = this.state;
    const firsts = mates.flatMap((mate, group) => (group <= mate ? [group] : []));
    firsts.sort((a, b) => this.state.names[a].localeCompare(this.state.names[b]));
    const rows = firsts.flatMap((group) => (mates[group] === group ? [group] : [group, mates[group]]));
    return rows.filter((group) => this.members(group).length > 0 || this.members(mates[group]).length > 0);
  }

  /** The name of a group's edge. */
  edge(group) {
    const mate = this.state.mates[group];
    const name = this.state.names[Math.min(group, mate)];
    return name + (mate === group ? "" : group < mate ? "+" : "-");
  }

  /** Is it doubtful what a group matches? Not once it was paired anew. */
  isUnsure(group) {
    return this.reading.doubtful_mates.includes(group) && this.state.mates[group] === this.reading.mates[group];
  }

  /** Moves sides to a group, or to a new group if it is `null`. */
  move(sides, group) {
    this.change((state) => {
      let target = group;
      if (target === null) {
        target = state.mates.length;
        state.mates.push(target);
        state.names.push(this.newName());
      }
      for (const side of sides) {
        state.of[side] = target;
        state.seen[side] = true;
      }
    });
  }

  /** An unused image name. */
  newName() {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const all = [...letters, ...letters.flatMap((a) => letters.map((b) => a + b))];
    return all.find((name) => !this.state.names.includes(name));
  }

  /** Moves all sides of a group to another one. */
  join(group, other) {
    this.move(this.members(group), other);
  }

  /** Pairs two groups; their former mates become a pair. A group paired with itself is a whole image. */
  pair(group, other) {
    this.change(({ mates }) => {
      const left = mates[group];
      const right = mates[other];
      mates[left] = left;
      mates[right] = right;
      if (left !== group && right !== other && left !== other) {
        mates[left] = right;
        mates[right] = left;
      }
      mates[group] = other;
      mates[other] = group;
    });
  }

  rename(group, name) {
    this.change((state) => {
      state.names[Math.min(group, state.mates[group])] = name;
    });
  }

  /** The reason why a name is not allowed; `null` if it is. */
  refused(group, name) {
    if (name === "" || /[+\-]$/.test(name)) return "a name may not be empty or end in + or -";
    const own = Math.min(group, this.state.mates[group]);
    const firsts = this.rows().map((row) => Math.min(row, this.state.mates[row]));
    return firsts.some((first) => first !== own && this.state.names[first] === name) ? `another image is called ${name}` : null;
  }

  /** The text of the puzzle file. */
  yaml() {
    const { rows, cols, name, cards } = this.reading;
    const lines = [`name: ${JSON.stringify(name)}`, `rows: ${rows}`, `cols: ${cols}`, "order: clockwise-from-top"];
    lines.push('pictures: "{tile}.png"', "tiles:");
    cards.forEach((_, card) => {
      const edges = [0, 1, 2, 3].map((side) => quoted(this.edge(this.state.of[4 * card + side])));
      lines.push(`  ${card + 1}: [${edges.join(", ")}]`);
    });
    return lines.join("\n") + "\n";
  }

  /** Describes pairs of halves that differ by more than three in number. */
  balance() {
    const { mates } = this.state;
    const pairs = mates.flatMap((mate, group) => (group < mate ? [[group, mate]] : []));
    const shown = pairs.filter((pair) => pair.some((group) => this.members(group).length > 0));
    const off = shown.flatMap(([plus, minus]) => {
      const more = this.members(plus).length - this.members(minus).length;
      const name = this.edge(more > 0 ? plus : minus);
      return Math.abs(more) > 3 ? [`${Math.abs(more)} more ${name}`] : [];
    });
    return off.join(", ");
  }
}
