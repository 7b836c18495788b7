let loads = 0;

/** How often the page was rendered. */
export const countLoads = (): number => {
  loads += 1;
  return loads;
};
