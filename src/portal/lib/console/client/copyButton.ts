import { button } from './parts.ts';

/** A button that copies a text, made when it is pressed. `label` says what, where the button alone does not. */
export const copyButton = (text: string, read: () => string, label?: string): HTMLButtonElement => {
  const made = button(text, () => {
    void navigator.clipboard.writeText(read()).then(() => {
      made.textContent = 'Copied';
      window.setTimeout(() => {
        made.textContent = text;
      }, 2000);
      return undefined;
    });
  });
  if (label !== undefined) made.setAttribute('aria-label', label);
  return made;
};
