// Secure error handling
export function sanitizeError(error: any): string {
  // Don't expose sensitive information
  if (error.response?.status === 401) {
    return 'Please log in to continue';
  }
  if (error.response?.status === 403) {
    return 'You don\'t have permission to perform this action';
  }
  // Generic error for production
  if (__DEV__) {
    return error.message || 'An error occurred';
  }
  return 'Something went wrong. Please try again.';
}
