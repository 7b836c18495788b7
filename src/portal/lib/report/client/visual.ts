/** A visual on the page. */
export interface MountedVisual {
  readonly root: HTMLElement;
  /** Called once the root is in the document and has a size. */
  readonly start: () => void;
  /** Called when filters, selection or colours have changed. */
  readonly update: () => void;
  readonly stop: () => void;
}
