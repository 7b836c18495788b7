/** Breaks a text between words, so that no line is wider; a word that is wider stands alone. */
export const wrapWords = (text: string, widthCharacters: number): readonly string[] => {
  // A terminal that does not know its width says 0.
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
