/** A visual on the page. */
export interface MountedVisual {
  readonly root: HTMLElement;
  /** Called once the root is in the document and has a size. */
  readonly start: () => void;
  /** Called after a change of filters, selection or colors. */
  readonly update: () => void;
  readonly stop: () => void;
}
