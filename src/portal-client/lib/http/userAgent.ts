/** Sent with every request, so that operators of the portal can recognize our calls. The version is the package's. */
export const userAgent = 'vitrine-portal-client/0.1.0';
