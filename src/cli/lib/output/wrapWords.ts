/** Wraps a text between words to a width; a longer word gets its own line. */
export const wrapWords = (text: string, widthCharacters: number): readonly string[] => {
  // A terminal with an unknown width reports 0.
  const width = widthCharacters > 0 ? widthCharacters : 80;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
};
