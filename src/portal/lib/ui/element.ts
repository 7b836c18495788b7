/** Attributes and properties of a new element; `class` and `text` are shorthands. */
export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Node[];
  readonly onClick?: (event: MouseEvent) => void;
}

/** Creates an element. Text is inserted as text, never parsed as HTML. */
export const element = <TName extends keyof HTMLElementTagNameMap>(
  name: TName,
  options: ElementOptions = {},
): HTMLElementTagNameMap[TName] => {
  const made = document.createElement(name);
  const listening: HTMLElement = made;
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  for (const [key, value] of Object.entries(options.attributes ?? {})) made.setAttribute(key, value);
  made.append(...(options.children ?? []));
  if (options.onClick !== undefined) listening.addEventListener('click', options.onClick);
  return made;
};
