/** Shows a dialog until it is closed or its view is left. Returns the function that closes it. */
export const showDialog = (dialog: HTMLDialogElement): (() => void) => {
  const isOver = new AbortController();
  // The close event comes with the next frame, which a busy or hidden page draws late: until then, the fields and what
  // was typed would still be in the page.
  const close = () => {
    isOver.abort();
    dialog.close();
    dialog.remove();
  };
  dialog.addEventListener('close', close);
  window.addEventListener('hashchange', close, { signal: isOver.signal });
  document.body.append(dialog);
  dialog.showModal();
  return close;
};
