export const policy = ["default-src 'self'", 'connect-src https://api.example.com https://api.httpsms.com'].join('; ');
export const allowedHosts = new Set(['api.example.com', 'api.httpsms.com']);
