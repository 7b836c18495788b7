/** Attributes of a new element; those without a value are left out. */
interface Attributes {
  readonly [name: string]: string | undefined | ((event: MouseEvent) => void);
  readonly onClick?: (event: MouseEvent) => void;
}

/** Creates an element. Text is inserted as text, never parsed as HTML. */
export const element = <TName extends keyof HTMLElementTagNameMap>(
  name: TName,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[TName] => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === 'function') (made as HTMLElement).addEventListener('click', value);
    else if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
