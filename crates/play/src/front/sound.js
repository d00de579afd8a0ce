// Short sounds, off by default.
import * as storage from "./storage.js";

const SOUNDS = {
  lay: [[330, 0, 0.06]],
  fit: [[440, 0, 0.06], [660, 0.06, 0.08]],
  solved: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.12], [1047, 0.36, 0.3]],
};

let context = null;

export function isOn() {
  return storage.setting("sound", false);
}

export function turnOn(on) {
  storage.choose("sound", on);
}

/** Plays a sound by name. */
export function play(name) {
  if (!isOn()) {
    return;
  }
  context ??= new AudioContext();
  for (const [pitch, from, length] of SOUNDS[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + from;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
