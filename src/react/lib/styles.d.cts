// A module of any kind may import the style sheet.
declare const css: undefined;
export = css;
