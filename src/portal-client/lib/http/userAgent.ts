/** Sent with every request, so that the operator of the portal can recognise our calls. The version is that of the package. */
export const userAgent = 'vitrine-portal-client/0.1.0';
