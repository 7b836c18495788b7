/** The brand of the fictional product around the reports. */
export const Brand = () => (
  <span className="brand">
    <img src="/icon.svg" width="28" height="28" alt="" />
    Acme Insights
  </span>
);
