// What the page says, in German.

export const DE = {};
