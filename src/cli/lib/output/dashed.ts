/** Converts an option name from code to the command line: `publicUrl` to `public-url`. */
export const dashed = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
