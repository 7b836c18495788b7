// A module of any kind may import the style sheet.
export {};
