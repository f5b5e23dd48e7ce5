/** What the shapes of answers hold that api.md does not show and no open question decides. */

/** The delivery status of a message that did not arrive; it is on no way from one status to the next (`deliveryStatuses`). */
export const failedStatus = 'FAILED';
