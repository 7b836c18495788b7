/** Whether a click belongs to a double click: who picks a point that way does not want it taken back at once. */
export const isSecondOfDoubleClick = (event: MouseEvent): boolean => event.detail > 1;
