/** The focused element in the root of a node. Inside a shadow root, the document only shows the root's host. */
export const focusedElement = (node: Node): Element | null =>
  // The root of a node on the page is a document or a shadow root; a detached root has no focus.
  (node.getRootNode() as Partial<DocumentOrShadowRoot>).activeElement ?? null;
