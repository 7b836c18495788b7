/** The initials of a person: "Regional manager, North" becomes "RN". */
export const initials = (name: string): string => {
  const words = name.split(/[\s,]+/);
  return `${words.at(0)?.[0] ?? ''}${words.at(-1)?.[0] ?? ''}`.toUpperCase();
};
