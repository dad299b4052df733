terraform import zoosdk_email.owner 3f2a
