/** Whether answers with a status have content; 204 and 205 never do (RFC 9110 §§15.3.5, 15.3.6). Open questions may be answered with them. */
export const hasContent = (status: number): boolean => status !== 204 && status !== 205;
