/**
 * The focused element around a node. A shadow root knows the focus inside it; the document only knows the root's host.
 */
export const focusedElement = (node: Node): Element | null =>
  // The root of a node in a page is a document or a shadow root; that of any other has no focus.
  (node.getRootNode() as Partial<DocumentOrShadowRoot>).activeElement ?? null;
