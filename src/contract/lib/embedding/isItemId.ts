/** Whether a value is an Item ID of the embedding interface: a positive safe integer (docs/interface.md#2.4). */
export const isItemId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
