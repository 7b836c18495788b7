import { button } from './uiParts.ts';

/** A button that copies a text, computed on press. `label` names the text for screen readers if the button does not. */
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
