/** The form in which names of roles and units are compared: composed, so that two ways to write `é` are one name. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase().normalize('NFC');
