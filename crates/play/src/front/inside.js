// Data blocks inside the page, compressed if they are large.

/** The bytes of a block. */
export async function bytesInside(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** The value of a JSON block. */
export async function valueInside(id) {
  const block = document.getElementById(id);
  const isPlain = block.type === "application/json";
  return JSON.parse(isPlain ? block.textContent : new TextDecoder().decode(await bytesInside(id)));
}
