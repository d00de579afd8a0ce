// The script of the worker: it receives the module first, then one request after another.
addEventListener("message", ({ data: { module, kind, body } }) => {
  try {
    if (module) {
      wasm_bindgen.initSync({ module });
      return;
    }
    wasm_bindgen.answer(kind, body, (line) => postMessage({ line }));
    postMessage({ done: true });
  } catch (error) {
    console.error(error);
    postMessage({ broken: true });
  }
});
