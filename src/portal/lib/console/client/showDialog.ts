/** Shows a dialog until it is closed or its view is left. */
export const showDialog = (dialog: HTMLDialogElement): void => {
  const isOver = new AbortController();
  dialog.addEventListener('close', () => {
    isOver.abort();
    dialog.remove();
  });
  window.addEventListener('hashchange', () => dialog.close(), { signal: isOver.signal });
  document.body.append(dialog);
  dialog.showModal();
};
