// features/profile/screens/ProfileScreen.tsx
import { useCurrentUser } from '@/core/domains/auth/hooks';
import { useUpdateProfile } from '@/core/domains/users/hooks';

export function ProfileScreen() {
  const { data: user, isLoading } = useCurrentUser();
  const updateProfile = useUpdateProfile();

  const handleUpdate = async (updates: Partial<UserProfile>) => {
    try {
      await updateProfile.mutateAsync(updates);
      Alert.alert('Success', 'Profile updated');
    } catch (error) {
      Alert.alert('Error', 'Failed to update profile');
    }
  };

  if (isLoading) return <LoadingSpinner />;

  return (
    <View>
      <Text>{user?.name}</Text>
      <Text>{user?.email}</Text>
      <Button
        title="Edit Profile"
        onPress={() => handleUpdate({ name: 'New Name' })}
      />
    </View>
  );
}
