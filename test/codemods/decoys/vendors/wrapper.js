async function api(path, { key, ...init }) {
  const response = await fetch(`https://partners.vendor.top${path}`, { ...init, headers: { ...init.headers, 'x-api-key': key } });
  return response.json();
}

export const partners = (key) => api('/v1/contacts', { key });
export const partner = (key, id) => api(`/v1/contacts/${id}`, { key });
